/* Runs CUnit tests once for every instruction set that the CPU has. Include after "ufunc.h" and <CUnit/Basic.h>. */
#include <stdlib.h>
#include <string.h>

static int choose(const char *isa)
{
    setenv("STA_ISA", isa, 1);
    return strcmp(sta__loops_choose(), isa) != 0;
}

static int choose_v2(void)
{
    return choose("v2");
}

static int choose_v3(void)
{
    return choose("v3");
}

static int choose_v4(void)
{
    return choose("v4");
}

/* Returns what main should. */
static int run_on_each_isa(CU_TestInfo *tests)
{
    CU_SuiteInfo suites[] = {{"v2", choose_v2, NULL, NULL, NULL, tests},
                             {"v3", choose_v3, NULL, NULL, NULL, tests},
                             {"v4", choose_v4, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    suites[1 + (choose("v3") == 0) + (choose("v4") == 0)] = (CU_SuiteInfo)CU_SUITE_INFO_NULL; /* those it lacks */
    if (CU_initialize_registry() != CUE_SUCCESS || CU_register_suites(suites) != CUE_SUCCESS)
        return EXIT_FAILURE;
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures() + CU_get_number_of_suites_failed();
    CU_cleanup_registry();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

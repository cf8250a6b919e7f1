"""The programs that come with the library: their output, options, manual pages and exit codes."""
import configparser
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import xml.etree.ElementTree

SOURCE = pathlib.Path(os.environ["STARRAY_SOURCE"])
TOOLS = pathlib.Path(os.environ["STARRAY_LIBRARY"]).parent / "tools"
# What a way of running tests sets is not what the tools are asked about.
ENVIRONMENT = {name: text for name, text in os.environ.items() if name not in ("STA_INLINE_BYTES", "STA_TILE_ELEMS")}


def run(tool, *arguments, **environment):
    done = subprocess.run([TOOLS / tool, *arguments], capture_output=True, text=True, timeout=120,
                          env={**ENVIRONMENT, "STARPU_SILENT": "1", **environment})
    return done.returncode, done.stdout, done.stderr


def every_tool():
    for source in SOURCE.glob("perfmodels/tools/*.c"):
        tool = source.stem
        code, out, _ = run(tool, "--help")
        assert code == 0 and "Examples:" in out, (tool, out)
        code, out, _ = run(tool, "--version")
        assert code == 0 and out.startswith("starray "), (tool, out)
        code, out, err = run(tool, "--no-such-option")
        assert code == 2 and tool in err and not out, (tool, code, err)
        page = (SOURCE / "docs" / "man" / f"{tool}.1").read_text()
        options = [word for word in run(tool, "--help")[1].replace(",", " ").split() if word.startswith("--")]
        for option in options:
            bare = option.split("=")[0]
            assert bare == "--help" or bare.replace("-", "\\-") in page, (tool, bare, "is not in the manual page")


def info():
    code, out, err = run("starray-info", "--json", STA_BUDGET="64M", STARPU_NCPU="1")
    assert code == 0, err
    found = {name: {row["name"]: row for row in rows} for name, rows in json.loads(out).items()}
    assert set(found) == {"machine", "starpu", "workers", "models", "settings", "missing"}
    assert found["settings"]["STA_BUDGET"]["value"] == "64M"
    assert found["settings"]["STA_BUDGET"]["note"] == "environment"
    assert found["settings"]["STA_LOG"]["note"] == "default"
    assert len(found["workers"]) >= 1
    assert "." in found["starpu"]["version"]["value"]
    code, out, err = run("starray-info", STARPU_CALIBRATE="1", STARPU_NCPU="1")
    assert code == 0 and "STARPU_CALIBRATE is set" in out and "\033" not in out, (out, err)
    code, out, err = run("starray-info", STA_BUDGET="lots")
    assert code == 1 and "STA_BUDGET" in err, (code, err)
    code, out, err = run("starray-info", "file")
    assert code == 2, code


def full_disk():
    """What was not written is no success."""
    for tool, option in (("starray-info", "--json"), ("starray-info", "--version"), ("starray-calibrate", "--list"),
                         ("starray-calibrate", "--version")):
        with open("/dev/full", "w") as full:
            done = subprocess.run([TOOLS / tool, option], stdout=full, stderr=subprocess.PIPE, text=True, timeout=120,
                                  env={**ENVIRONMENT, "STARPU_SILENT": "1"})
        assert done.returncode == 1 and "cannot be written" in done.stderr, (tool, option, done)


def home(folder):
    """Nothing of this user: what is measured goes into the folder."""
    return {"XDG_CACHE_HOME": str(folder), "STARPU_HOME": str(folder), "HOME": str(folder), "STARPU_HOSTNAME": "test"}


def read_ini(path):
    parser = configparser.ConfigParser(delimiters="=", interpolation=None, strict=False)
    parser.optionxform = str
    parser.read(path)
    return parser


def only(folder, pattern):
    found = list(pathlib.Path(folder).rglob(pattern))
    assert len(found) == 1, (pattern, found)
    return found[0]


def kill_calibration(folder):
    """In the middle, so that it cannot say goodbye (with StarPU 1.3 it has to); the points that were done by then."""
    found = json.loads(run("starray-info", "--json", STARPU_NCPU="1", **home(folder))[1])
    old = next(row["value"] for row in found["starpu"] if row["name"] == "version").startswith("1.3")
    process = subprocess.Popen([TOOLS / "starray-calibrate", "--budget", "8"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env={**ENVIRONMENT, **home(folder)})
    end = time.monotonic() + (3 if old else 60)
    while not list(pathlib.Path(folder).rglob("calibration-*.ini")) and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT if old else signal.SIGKILL)
    process.wait()
    return undisturbed(folder)


def undisturbed(folder):
    """The points that are done for good."""
    points = read_ini(only(folder, "calibration-*.ini"))["points"]
    return {key: figures for key, figures in points.items() if figures.split(";")[5] == "1"}


def calibrate():
    with tempfile.TemporaryDirectory() as folder:
        before = kill_calibration(folder)
        assert before
        page = pathlib.Path(folder) / "page.html"
        code, out, err = run("starray-calibrate", "--budget", "3", "--report", str(page), **home(folder))
        assert code == 0 and "points measured" in out and "never seen" in out, (code, out, err)
        assert "\033" not in out + err and "\r" not in out + err
        after = undisturbed(folder)
        assert before.items() <= after.items(), "what was done before is measured again"
        costs = read_ini(only(folder, "costs-*.ini"))
        assert float(costs["costs"]["core_bytes"]) > 100 and float(costs["loops"]["add_f64"]) > 0
        assert costs["machine"]["description"]
        assert list(pathlib.Path(folder).rglob("sta_add_f64*")), "StarPU has no model"
        calibrated(folder, costs)
        shipped(folder, costs)
        exported(folder, costs)
        report(page)
        again_at_once(folder)


def calibrated(folder, costs):
    """A program that starts now uses the table, and the sizes that it recommends."""
    found = json.loads(run("starray-info", "--json", **home(folder))[1])
    rows = {row["name"]: row for section in found.values() for row in section}
    assert rows["cost table"]["note"] == "calibrated here", rows["cost table"]
    if float(costs["costs"]["inline_bytes"]) > 0:
        assert rows["STA_INLINE_BYTES"]["note"] == "cost table"
        assert rows["STA_INLINE_BYTES"]["value"] == f"{int(float(costs['costs']['inline_bytes'])) // 1024}K"
    rows = {row["name"]: row for row in json.loads(
        run("starray-info", "--json", STA_INLINE_BYTES="4K", **home(folder))[1])["settings"]}
    assert rows["STA_INLINE_BYTES"]["value"] == "4K" and rows["STA_INLINE_BYTES"]["note"] == "environment"


def shipped(folder, costs):
    """A machine of a known description needs no calibration."""
    machines = pathlib.Path(folder) / "machines"
    machines.mkdir()
    costs["costs"]["inline_bytes"] = "131072"
    with open(machines / f"{costs['machine']['description']}.ini", "w") as file:
        costs.write(file, space_around_delimiters=False)
    (pathlib.Path(folder) / "other").mkdir()
    for where, note in ((machines, "shipped for such machines"), (machines / "none", None)):
        found = json.loads(run("starray-info", "--json", STA_MACHINES=str(where),
                               **home(pathlib.Path(folder) / "other"))[1])
        rows = {row["name"]: row for section in found.values() for row in section}
        assert rows["cost table"].get("note") == note, (where, rows["cost table"])
        assert rows["STA_INLINE_BYTES"]["value"] == ("128K" if note else "256K"), (where, rows["STA_INLINE_BYTES"])


MADE_UP = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
 <object type="Machine" os_index="0" cpuset="0x3" complete_cpuset="0x3" allowed_cpuset="0x3" nodeset="0x1"
   complete_nodeset="0x1" allowed_nodeset="0x1" gp_index="1">
  <object type="NUMANode" os_index="0" cpuset="0x3" complete_cpuset="0x3" nodeset="0x1" complete_nodeset="0x1"
    gp_index="2" local_memory="1000000"/>
  <object type="Package" os_index="0" cpuset="0x3" complete_cpuset="0x3" nodeset="0x1" complete_nodeset="0x1" gp_index="3">
   <info name="CPUModel" value="Made-Up(R) 9000 @ 3GHz"/>
   <object type="Core" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="4">
    <object type="PU" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="5"/>
   </object>
   <object type="Core" os_index="1" cpuset="0x2" complete_cpuset="0x2" nodeset="0x1" complete_nodeset="0x1" gp_index="6">
    <object type="PU" os_index="1" cpuset="0x2" complete_cpuset="0x2" nodeset="0x1" complete_nodeset="0x1" gp_index="7"/>
   </object>
  </object>
  <object type="OSDev" gp_index="8" name="cuda0" osdev_type="5"><info name="GPUModel" value="Dream 1"/></object>
 </object>
</topology>
"""
MADE_UP_NAME = "made-up-r-9000-3ghz-2-cores-1-dream-1"


def exported(folder, costs):
    """A table that was measured properly goes to a folder, and a machine of its description finds it there."""
    own, target = only(folder, "costs-*.ini"), pathlib.Path(folder) / "exported"
    for quality, reason in ((None, "how well"), ({"measured": "9"}, "not all points"), ({"disturbed": "3"}, "idle"),
                            ({"error_never_seen": "0.4"}, "too far off"), ({}, None)):
        costs["machine"]["description"] = MADE_UP_NAME
        costs["quality"] = {} if quality is None else {"points": "10", "measured": "10", "disturbed": "0",
                                                       "error_never_seen": "0.2", **quality}
        with open(own, "w") as file:
            costs.write(file, space_around_delimiters=False)
        code, out, err = run("starray-calibrate", "--export", str(target), **home(folder))
        assert (code, bool(out)) == ((1, False) if reason else (0, True)) and (reason or "") in err, (reason, code, out, err)
    assert out.strip() == str(target / f"{MADE_UP_NAME}.ini")
    assert "name" not in read_ini(target / f"{MADE_UP_NAME}.ini")["machine"]
    topology = pathlib.Path(folder) / "made-up.xml"
    topology.write_text(MADE_UP)
    for machine, note in (({"HWLOC_XMLFILE": str(topology)}, "shipped for such machines"), ({}, None)):
        found = json.loads(run("starray-info", "--json", STA_MACHINES=str(target), STARPU_NCPU="1", **machine,
                               **home(pathlib.Path(folder) / "other"))[1])
        rows = {row["name"]: row for section in found.values() for row in section}
        assert rows["cost table"].get("note") == note, (machine, rows["cost table"])
        assert (rows["description"]["value"] == MADE_UP_NAME) == bool(note), rows["description"]
        assert rows["STA_INLINE_BYTES"]["value"] == ("128K" if note else "256K"), (where, rows["STA_INLINE_BYTES"])
    code, out, err = run("starray-calibrate", "--export", "/proc/none", **home(folder))
    assert code == 1 and "none" in err and not out, (code, out, err)
    code, _, err = run("starray-calibrate", "--export", str(target), **home(pathlib.Path(folder) / "other"))
    assert code == 1 and "call starray-calibrate first" in err, (code, err)


def report(page):
    text = page.read_text()
    root = xml.etree.ElementTree.fromstring(text.split("\n", 1)[1])
    sections = {heading.get("id") for heading in root.iter("h2")}
    assert sections == {"advice", "fastest", "predictions", "times", "costs", "loops"}, sections
    assert len(list(root.iter("svg"))) > 10
    for outside in ("http:", "https:", "src=", "<link", "@import", "url(", "<script"):
        assert outside not in text, outside


def again_at_once(folder):
    """What cannot be kept is not begun; wrong options are refused."""
    for wrong in ({**home(folder), "XDG_CACHE_HOME": "/proc/none"}, {**home(folder), "STARPU_HOME": "/proc/none"}):
        code, out, err = run("starray-calibrate", **wrong)
        assert code == 1 and "cannot be written" in err and not out, (code, out, err)
    code, _, err = run("starray-calibrate", "--report", "/proc/none/page.html", **home(folder))
    assert code == 1 and "cannot be written" in err, (code, err)
    for wrong in (["--only", "nonsense"], ["--budget", "-1"], ["--budget", "nan"], ["--quick", "--full"], ["file"]):
        code, out, err = run("starray-calibrate", *wrong, **home(folder))
        assert code == 2 and err and not out, (wrong, code, out, err)
    code, out, _ = run("starray-calibrate", "--list", "--only", "linalg", **home(folder))
    assert code == 0 and {line.split()[0] for line in out.splitlines()} == {"elementwise", "linalg"}, out


every_tool()
info()
full_disk()
calibrate()
print("tools: all as they should be")

"""The programs that come with the library: their output, options, manual pages and exit codes."""
import json
import os
import pathlib
import subprocess

SOURCE = pathlib.Path(os.environ["STARRAY_SOURCE"])
TOOLS = pathlib.Path(os.environ["STARRAY_LIBRARY"]).parent / "tools"


def run(tool, *arguments, **environment):
    done = subprocess.run([TOOLS / tool, *arguments], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "STARPU_SILENT": "1", **environment})
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


every_tool()
info()
print("tools: all as they should be")

#!/usr/bin/env python3
"""What the gnomon command answers to a corpus of commands, before and after a change.

  corpus.py record GNOMON OUT_DIR [--jobs N] [--only TEXT]
      makes the tables, runs every command with the given binary and writes OUT_DIR/results/*.json: exit code, stderr,
      stdout, and what the command wrote (JSON, CSV, the text of the HTML page with its hash).
  corpus.py compare DIR_A DIR_B [--tolerance 1e-12] [--only TEXT] [--ignore REGEX]...
      text and structure must be equal, numbers to a relative tolerance; the version is left out, and answers name no places.
      Prints every difference with command and path, then 'N commands, M differ'; exit code 1 if any does.

Answers depend on the processor in their last digits: record both sides on one machine.
"""

import argparse
import concurrent.futures
import csv
import hashlib
import html
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys

from commands import corpus
from tables import write_tables

TIME_LIMIT = 120  # seconds, for one command
IGNORED_FIELDS = {"gnomon", "seconds"}  # the version, and times


# --- record ---------------------------------------------------------------------------------------------------------

def page_text(page):
    """What a reader of an HTML page sees, without scripts (charts are drawn from the numbers of the JSON) and markup."""
    page = re.sub(r"<(script|style)\b.*?</\1>", " ", page, flags=re.S)
    page = re.sub(r"<[^>]*>", "\n", page)
    page = re.sub(r"\b[0-9.e-]+ s(?=[,\s]|$)", "TIME", page)
    lines = (re.sub(r"\s+", " ", line).strip() for line in html.unescape(page).splitlines())
    return "\n".join(line for line in lines if line)


def cell_value(cell):
    try:
        return float(cell) if re.fullmatch(r"[-+]?[0-9.]+([eE][-+]?[0-9]+)?", cell) else cell
    except ValueError:
        return cell


def content(path, tidy):
    """A file that a command wrote, as something that can be compared."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".json":
        return json.loads(text)
    if path.suffix == ".csv":
        return [[cell_value(cell) for cell in row] for row in csv.reader(text.splitlines())]
    if path.suffix == ".html":
        seen = tidy(page_text(text))
        return {"sha256": hashlib.sha256(seen.encode()).hexdigest(), "text": seen.splitlines()}
    return tidy(text).splitlines()


def run_one(binary, version, out_dir, number, command):
    # Names of files turn up in answers; they must not change when commands are added.
    name = command.name or hashlib.sha256(" ".join(command.words).encode()).hexdigest()[:10]
    paths = {kind: f"out/{name}.{kind}" for kind in ["json", "csv", "model"]}
    paths |= {"report": f"out/{name}.html", "folder": f"out/{name}"}
    words = [re.sub(r"\{(\w+)\}", lambda m: paths[m[1]], word) for word in command.words]

    def tidy(text):
        return text.replace(str(binary), "gnomon").replace(version, "VERSION")

    try:
        done = subprocess.run([binary] + words, cwd=out_dir, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=TIME_LIMIT, env=os.environ | {"LC_ALL": "C.UTF-8"})
    except subprocess.TimeoutExpired:
        sys.exit(f"corpus: '{' '.join(words)}' took more than {TIME_LIMIT} s; make its problem smaller")
    result = {"command": " ".join(command.words), "exit": done.returncode,
              "stderr": tidy(done.stderr.decode(errors="replace")),
              "stdout": tidy(done.stdout.decode(errors="replace")).splitlines()}
    for kind in ["json", "csv", "report"]:
        path = out_dir / paths[kind]
        if path.exists():
            result[kind] = content(path, tidy)
    folder = out_dir / paths["folder"]
    if folder.is_dir():
        result["folder"] = {p.name: content(p, tidy) for p in sorted(folder.iterdir())
                            if p.suffix in (".json", ".csv", ".html", ".md")}
    slug = re.sub(r"[^A-Za-z0-9.-]+", "_", result["command"])[:120]
    text = json.dumps(result, indent=1, ensure_ascii=False)
    (out_dir / "results" / f"{number:03d}-{slug}.json").write_text(text + "\n", encoding="utf-8")
    return done.returncode


def record(args):
    binary, out_dir = args.gnomon.resolve(), args.out_dir.resolve()
    if not os.access(binary, os.X_OK):
        sys.exit(f"corpus: '{binary}' cannot be run; build the command first")
    for name in ["results", "out"]:
        shutil.rmtree(out_dir / name, ignore_errors=True)
        (out_dir / name).mkdir(parents=True)
    write_tables(out_dir / "data")
    version = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    chosen = [(i, c) for i, c in enumerate(corpus()) if args.only in " ".join(c.words)]
    codes = []
    for stage in sorted({c.stage for _, c in chosen}):
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            runs = [pool.submit(run_one, binary, version, out_dir, i, c) for i, c in chosen if c.stage == stage]
            codes += [run.result() for run in runs]
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    counts = ", ".join(f"{codes.count(code)} with exit code {code}" for code in sorted(set(codes)))
    print(f"{len(codes)} commands ({counts}), {used.ru_utime + used.ru_stime:.0f} CPU s, in {args.out_dir}")


# --- compare --------------------------------------------------------------------------------------------------------

def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def differences(a, b, tolerance, path=""):
    """Yields (path, what differs, relative difference or None)."""
    if is_number(a) and is_number(b):
        gap = abs(a - b)
        if gap > tolerance * max(abs(a), abs(b)):
            relative = gap / max(abs(a), abs(b))
            yield path, f"{a!r} -> {b!r} (relative {relative:.1e})", relative
    elif isinstance(a, dict) and isinstance(b, dict):
        for key in list(a) + [k for k in b if k not in a]:
            at = f"{path}.{key}" if path else key
            if key in IGNORED_FIELDS:
                continue
            if key not in b:
                yield at, "gone", None
            elif key not in a:
                yield at, "new", None
            elif not (key == "sha256" and "text" in a and "text" in b):  # the lines say where
                yield from differences(a[key], b[key], tolerance, at)
    elif isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            yield path, f"length {len(a)} -> {len(b)}", None
        for i, (left, right) in enumerate(zip(a, b)):
            yield from differences(left, right, tolerance, f"{path}[{i}]")
    elif a != b or type(a) is not type(b):
        yield path, f"{json.dumps(a, ensure_ascii=False)} -> {json.dumps(b, ensure_ascii=False)}", None


def read_recording(folder, only):
    files = sorted((folder / "results").glob("*.json"))
    if not files:
        sys.exit(f"corpus: there is no recording in '{folder}'; make one with corpus.py record")
    recorded = (json.loads(file.read_text(encoding="utf-8")) for file in files)
    return {result["command"]: result for result in recorded if only in result["command"]}


def compare(args):
    a, b = read_recording(args.dir_a, args.only), read_recording(args.dir_b, args.only)
    ignored = [re.compile(pattern) for pattern in args.ignore]
    differ, left_out, worst = 0, 0, 0.0
    for command in list(a) + [c for c in b if c not in a]:
        if command not in a or command not in b:
            found = [("", "only in " + str(args.dir_a if command in a else args.dir_b), None)]
        else:
            found = list(differences(a[command], b[command], args.tolerance))
        kept = [d for d in found if not any(p.search(f"{command} :: {d[0]}: {d[1]}") for p in ignored)]
        left_out += len(found) - len(kept)
        if not kept:
            continue
        differ += 1
        worst = max([worst] + [relative for _, _, relative in kept if relative is not None])
        print(command)
        for path, what, _ in kept:
            print(f"    {path}: {what}")
    if left_out:
        print(f"{left_out} differences left out by --ignore")
    if worst:
        print(f"largest relative difference of a number: {worst:.1e}")
    print(f"{len(a.keys() | b.keys())} commands, {differ} differ")
    return 1 if differ else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("record")
    verb.add_argument("gnomon", type=pathlib.Path)
    verb.add_argument("out_dir", type=pathlib.Path)
    verb.add_argument("--jobs", type=int, default=os.cpu_count(), help="commands at a time")
    verb.add_argument("--only", default="", help="only commands that contain this text")
    verb.set_defaults(run=record)
    verb = verbs.add_parser("compare")
    verb.add_argument("dir_a", type=pathlib.Path)
    verb.add_argument("dir_b", type=pathlib.Path)
    verb.add_argument("--tolerance", type=float, default=1e-12, help="relative, for numbers")
    verb.add_argument("--only", default="", help="only commands that contain this text")
    verb.add_argument("--ignore", action="append", default=[], metavar="REGEX",
                      help="leave out differences whose 'command :: path: what' matches")
    verb.set_defaults(run=compare)
    args = parser.parse_args()
    return args.run(args)


if __name__ == "__main__":
    sys.exit(main())

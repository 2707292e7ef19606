#!/usr/bin/env python3
"""Opens a report in headless Chromium and checks that it works.

    check_report.py report.html --expect "0.0123" --screenshot out.png

Fails unless the browser ends well, the console stays free of errors, every chart is drawn and the expected texts are
on the page.
"""
import argparse
import html
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def browse(browser, page, arguments):
    """Runs the browser on the page with a profile of its own; (standard output, console lines)."""
    with tempfile.TemporaryDirectory() as profile:
        command = [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-extensions", "--disable-background-networking", "--enable-logging=stderr", "--hide-scrollbars",
            f"--user-data-dir={profile}", "--virtual-time-budget=10000", *arguments, page.as_uri(),
        ]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120)
    if done.returncode != 0:
        sys.exit(f"the browser ended with code {done.returncode}:\n{done.stderr}")
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("report", type=pathlib.Path)
    parser.add_argument("--expect", action="append", default=[], help="a text that must be on the page (repeatable)")
    parser.add_argument("--screenshot", type=pathlib.Path)
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=3000)
    parser.add_argument("--dark", action="store_true", help="as with a dark colour scheme")
    options = parser.parse_args()

    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("Chromium is not installed")
    page = options.report.resolve()
    look = [f"--window-size={options.width},{options.height}"]
    if options.dark:
        look.append("--blink-settings=preferredColorScheme=0")

    dom, console = browse(browser, page, [*look, "--dump-dom"])
    problems = list(console)
    outside = re.findall(r'(?:src|href)="(?:https?:)?//[^"]*"', dom)
    problems += [f"needs the network: {link}" for link in outside]
    canvases = re.findall(r"<canvas\b[^>]*>", dom)
    drawn = [canvas for canvas in canvases if 'data-drawn="yes"' in canvas]
    if len(drawn) < len(canvases):
        problems.append(f"{len(drawn)} of {len(canvases)} charts are drawn")
    if not re.search(r"<html\b[^>]*data-charts=\"done\"", dom):
        problems.append("the page did not finish its charts")
    body = dom[dom.find("<body"):]
    visible = html.unescape(re.sub(r"<[^>]*>", "", re.sub(r"(?s)<(script|style)\b.*?</\1>", "", body)))
    problems += [f"not on the page: {text!r}" for text in options.expect if text not in visible]

    if options.screenshot:
        browse(browser, page, [*look, f"--screenshot={options.screenshot.resolve()}"])
        if not options.screenshot.is_file() or options.screenshot.stat().st_size == 0:
            problems.append("no screenshot was made")
    if problems:
        sys.exit("\n".join(problems))
    print(f"{options.report.name}: {len(drawn)} charts drawn, no console errors, {len(options.expect)} texts found")


if __name__ == "__main__":
    main()

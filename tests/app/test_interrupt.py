"""Ctrl-C: the command stops soon, says so, and leaves no half-written file."""
import signal
import subprocess
import time
import unittest

from command import COMMAND, CommandTest, smooth_sample


class InterruptTest(CommandTest):
    def interrupt(self, *arguments, after):
        """(exit code, standard error, seconds until the end) of a run that gets Ctrl-C."""
        process = subprocess.Popen([COMMAND, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            time.sleep(after)
            self.assertIsNone(process.poll(), "the run ended before it could be interrupted; make it longer")
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            _, error = process.communicate(timeout=60)
        finally:
            process.kill()
        return process.returncode, error, time.monotonic() - start

    def test_select(self):
        self.write("data.csv", smooth_sample(3000, 4))
        before = self.files()
        code, error, seconds = self.interrupt("select", "data.csv", "--target", "y", "--criterion", "cv:10",
                                              "--repeats", "50", "--json", "out.json", "--report", "out.html",
                                              "--model", "out.gnomon", after=1.5)
        self.assertEqual(code, 130, error)
        self.assertIn("interrupted", error)
        self.assertEqual(len(error.splitlines()), 1, error)
        self.assertEqual(self.files(), before)
        self.assertLess(seconds, 30)

    def test_predict_from_a_pipe_that_stays_open(self):
        self.write("data.csv", smooth_sample(30))
        self.succeed("select", "data.csv", "--target", "y", "--model", "fit.gnomon")
        before = self.files()
        process = subprocess.Popen([COMMAND, "predict", "fit.gnomon", "-", "-o", "out.csv"], cwd=self.folder,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            process.stdin.write(b"x1\n" + b"0.5\n" * 100000)
            process.stdin.flush()
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)  # closes the pipe
        finally:
            process.kill()
        self.assertNotEqual(process.returncode, 0)
        self.assertEqual(self.files(), before)


if __name__ == "__main__":
    unittest.main()

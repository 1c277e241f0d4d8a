import * as assert from "uvu/assert";
import { fitHelp } from "../../../core/cli/fitHelp.ts";
import { suite } from "../../support/suite.ts";

suite("core/cli/fitHelp", (test) => {
  test("short lines stay as they are", () => {
    const lines = ["manifold open   prints a link", "    --email ADDRESS  another owner", ""];
    assert.equal(fitHelp(lines), lines);
  });

  test("further lines of a description begin below its first word", () => {
    const [first = "", second = "", ...others] = fitHelp([
      `  MANIFOLD_STORE   --store   ${"plugin that stores pushed data ".repeat(4).trim()}`,
    ]);
    assert.is(others.length, 0);
    assert.ok(first.length <= 100 && second.length <= 100);
    assert.is(second.search(/\S/), first.indexOf("plugin"));
  });

  test("a description after a long command has a line of its own", () => {
    const command = `manifold pull ${"--from URL ".repeat(5)}--dir DIR`;
    const [first, second = ""] = fitHelp([
      `${command}  writes an organization of any host to a folder`,
    ]);
    assert.is(first, command);
    assert.match(second, /^ {6}writes/);
  });

  test("no word is lost, and only a longer word exceeds a hundred columns", () => {
    const words = Array.from({ length: 90 }, (_, index) => "x".repeat((index * 7) % 13 || 1));
    const lines = fitHelp([`    --set NAME  ${words.join(" ")}`, `  ${"y".repeat(150)}`]);
    assert.ok(lines.slice(0, -1).every((line) => line.length <= 100));
    assert.equal(lines.slice(0, -1).join(" ").split(/\s+/).slice(3), words);
    assert.is(lines.at(-1)?.trim().length, 150);
  });
});

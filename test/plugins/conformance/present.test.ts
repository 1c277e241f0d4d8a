import * as assert from "uvu/assert";
import {
  badge,
  capabilityTable,
  causesOf,
  checkPlugin,
  type CheckReport,
  htmlReport,
  junitReport,
  textReport,
} from "../../../plugins/conformance/index.ts";
import { suite } from "../../support/suite.ts";
import { plantedPlugin } from "./plantedLiars.ts";

const target = {
  name: "planted",
  url: "http://127.0.0.1:9",
  protocolVersion: "manifold-1",
  hasSecret: true,
  credentialIds: [],
};
const does = "drops rows with null under !=";
const escaped = "drops rows with null under !=";

suite("plugins/conformance/present", (test) => {
  let report: CheckReport;
  test.before(async () => {
    const plugin = plantedPlugin("!= drops null");
    report = await checkPlugin({ plugin, seed: 1, queryCount: 200, checksUnclaimed: false });
  });

  const countOf = (text: string, part: string) => text.split(part).length - 1;

  test("the text report names each cause once, with its claims and one example", () => {
    const text = textReport(report, target);
    assert.is(countOf(text, does), 1);
    const { claims } = causesOf(report)[0]!;
    assert.match(text, `WRONG  it ${does}\n  ${claims.length} claims: ${claims.join(", ")}\n`);
    assert.is(countOf(text, "curl -s"), 1);
    assert.match(text, /expected \d+ rows, answered \d+ rows; they first differ in row \d+/);
    assert.match(text, /^ {2}> +\d+ {2}\[null[^\n]* {2}\(no row\)$/m);
    assert.match(text, `${claims.length} wrong with 1 likely cause`);
  });

  test("the HTML report has one section per cause, with its claims and one example", () => {
    const page = htmlReport(report, target);
    assert.is(countOf(page, `<h2 class="wrong">It ${escaped}</h2>`), 1);
    assert.is(countOf(page, "<pre>"), 1);
    assert.match(page, "<li>filters.operators.!=.numeric</li>");
  });

  test("all JUnit failures of one cause have the same type, and the first contains the example", () => {
    const xml = junitReport(report, target);
    const { claims } = causesOf(report)[0]!;
    assert.is(countOf(xml, `<failure type="${escaped}"`), claims.length);
    assert.is(countOf(xml, "curl -s"), 1);
    assert.is(countOf(xml, `the test case ${claims[0]} shows an example`), claims.length - 1);
    assert.match(xml, ` failures="${claims.length}" `);
  });

  test("the badge counts the causes and names them in its title", () => {
    const svg = badge(report);
    assert.match(svg, ">failed (1 fault)<");
    assert.match(svg, `<title>it ${escaped}</title>`);
  });

  test("the table for a README lists the causes with their claims", () => {
    const table = capabilityTable(report);
    assert.match(table, `| it ${does} | \`filters.operators.!=.numeric\`, `);
  });
});

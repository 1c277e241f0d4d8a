import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { basename } from "node:path";
import * as assert from "uvu/assert";
import { root, textOf } from "../../docs/.vitepress/pages.ts";
import { openPeople } from "../core/openPeople.ts";
import { openHttpSink } from "../support/httpSink.ts";
import { noteMissing } from "../support/layer.ts";
import { suite } from "../support/suite.ts";
import { matchAnswer } from "./matchAnswer.ts";
import { placeOf } from "./readBlocks.ts";
import {
  preparation,
  compilePrograms,
  runShell,
  runTypeScript,
  shownAnswers,
  type Answered,
} from "./runHowTo.ts";

const pages = [
  "docs/how-to/SET_UP.md",
  "docs/how-to/CHANGE_ROWS.md",
  "docs/how-to/ROW_FILTERS.md",
  "docs/how-to/CREATE_TOKENS.md",
  "docs/how-to/SHARE_RECORDS.md",
  "docs/how-to/GROUPS_AND_INTEGRATIONS.md",
  "docs/how-to/FILTER_GROUP.md",
  "docs/how-to/THEMES_AND_LANGUAGES.md",
  "docs/how-to/ALERTS.md",
  "docs/how-to/DASHBOARDS_AS_FILES.md",
  "docs/how-to/UPLOAD_FILES.md",
];

/** Pages about the console, which contain no code. */
const pagesWithoutCode = [
  "docs/how-to/EDIT_DASHBOARD.md",
  "docs/how-to/FIRST_DASHBOARD.md",
  "docs/how-to/IMPORT_FILES.md",
];

/** Patterns that the last picture drawn by a page must match. */
const pictures: Readonly<Record<string, readonly RegExp[]>> = {
  "docs/how-to/THEMES_AND_LANGUAGES.md": [/fill="#b5451b"/, /Km per stad/, />7,5</],
};

suite("documentation/howTo", (test) => {
  /**
   * Runs a page as the owner of a new organization. Compares the host's answers with the answers that the page shows.
   */
  async function check(page: string, language: string, runPage: typeof runShell): Promise<void> {
    const people = await openPeople();
    const sink = await openHttpSink();
    try {
      const replaced = { "https://app.example.com/events": sink.url };
      const caller = { url: people.host.url, ...people.owner.pair, replaced };
      checkAnswers(page, await runPage(page, caller), language);
    } finally {
      await sink.close();
      await people.close();
    }
  }

  /** Compares the host's answers to a page's calls with the answers that the page shows. */
  function checkAnswers(page: string, answers: readonly Answered[], language: string): void {
    const bound = new Map<string, unknown>();
    for (const { block, from } of shownAnswers(page)) {
      const source = from.find((each) => each.language === language);
      if (!source) continue;
      const answer = answers.findLast((each) => placeOf(each.block) === placeOf(source));
      assert.ok(answer, `${placeOf(source)} sends no call`);
      const difference = matchAnswer(JSON.parse(block.text), answer.body, bound);
      assert.is(difference, undefined, `${placeOf(block)} (${language}): ${difference}`);
    }
    const picture = answers.findLast(({ body }) => typeof body === "string")?.body;
    for (const pattern of pictures[page] ?? []) assert.match(String(picture), pattern);
    const refused = answers.filter(({ body }) => Number(Reflect.get(Object(body), "code")) >= 400);
    const shownCodes = shownAnswers(page).filter(({ block }) =>
      /"code": [45]\d\d/.test(block.text),
    );
    assert.is(
      refused.length,
      shownCodes.filter(({ from }) => from.some((each) => each.language === language)).length,
      JSON.stringify(
        refused.map(({ block, body }) => [placeOf(block), body]),
        null,
        2,
      ),
    );
  }

  test("every how-to page states what its reader needs and what the result is, and is in the index", () => {
    const found = globSync("docs/how-to/*.md", { cwd: root }).map((path) =>
      path.replaceAll("\\", "/"),
    );
    const all = [...pages, ...pagesWithoutCode];
    assert.equal(found.toSorted(), all.toSorted());
    const index = textOf("docs/HOW_TO.md");
    for (const page of all) {
      const text = textOf(page);
      for (const part of ["\n**You will need** ", "**At the end**, "])
        assert.match(text, part, page);
      if (page !== preparation) assert.match(index, `](how-to/${basename(page)}`, page);
    }
  });

  test("the check of how-to pages detects answers that differ from those on the page", () => {
    const shown = { id: "<a>", list: [1, { id: "<a>", "…": "…" }], open: "…" };
    const answer = { id: "x", list: [1, { id: "x", more: 2 }], open: null };
    const differenceOf = (changed: object) =>
      matchAnswer(shown, { ...answer, ...changed }, new Map());
    assert.is(differenceOf({}), undefined);
    for (const [changed, message] of [
      [{ id: "y" }, "answer.list[1].id: <a> is y elsewhere, not x"],
      [{ list: [1] }, "answer.list is [1], not a list of 2"],
      [{ list: [2, answer.list[1]] }, "answer.list[0] is 2, not 1"],
      [{ open: undefined }, "answer.open is missing"],
      [{ other: 3 }, "answer also has other: 3"],
    ] as const)
      assert.is(differenceOf(changed), message);
  });

  // The quick layer runs some of the pages.
  for (const [index, page] of pages.entries())
    (index % 4 === 1 ? test : test.deep)(
      `the TypeScript on ${page} gets the answers that the page shows`,
      () => check(page, "ts", runTypeScript),
    );

  test.deep("the TypeScript on the how-to pages compiles in strict mode", () =>
    compilePrograms(pages),
  );

  const hasTools = ["curl", "jq"].every((tool) => spawnSync(tool, ["--version"]).status === 0);
  if (!hasTools) noteMissing("curl and jq, for docs/how-to");
  for (const page of hasTools ? pages : [])
    test.deep(`the shell commands on ${page} get the answers that the page shows`, () =>
      check(page, "sh", runShell),
    );
});

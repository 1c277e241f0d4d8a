import { wrapProse } from "../../prose/wrapProse.ts";
import { areas } from "./areas.ts";
import { folder } from "./readAnswers.ts";
import { writeErrorsPage } from "./errorsPage.ts";
import { writeIndexPage } from "./indexPage.ts";
import { writePathsPage } from "./pathsPage.ts";
import { writeResourcePage } from "./resourcePage.ts";
import { nameOf } from "./runExamples.ts";
import { writeTypesPage } from "./typesPage.ts";

/** Returns the text of every page by its path. `answers` are the texts of the answers, by page and heading. */
export function writePages(answers: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const answerOf = (key: string) => answers.get(key) ?? "";
  const pages: readonly (readonly [name: string, text: string])[] = [
    ["index", writeIndexPage()],
    ...areas.flatMap(({ resources }) =>
      resources.map(
        (resource) =>
          [resource, writeResourcePage(resource, (call) => answerOf(nameOf(call)))] as const,
      ),
    ),
    ["paths", writePathsPage((heading) => answerOf(`paths ${heading}`))],
    ["types", writeTypesPage()],
    ["errors", writeErrorsPage(answerOf("errors Errors"))],
  ];
  return new Map(
    pages.map(([name, text]) => {
      const path = `${folder}/${name}.md`;
      return [path, `${wrapProse(path, text).trimEnd()}\n`];
    }),
  );
}

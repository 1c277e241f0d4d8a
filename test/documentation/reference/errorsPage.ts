import { apiErrors } from "../../../core/base/errors.ts";
import { engineErrors } from "../../../engine/index.ts";
import { pluginErrors } from "../../../plugins/protocol/index.ts";
import { pluginCodes } from "../../../plugins/strata/errors.ts";
import { apiHelp, areas, engineHelp, pluginHelp, type ErrorHelp } from "./errorHelp.ts";
import { writeTable } from "./writeTypes.ts";

/** Writes a message of a table of errors. The values that the host inserts are shown as an ellipsis. */
const messageOf = (message: string) =>
  message === "%s" ? "what contradicts what" : message.replaceAll("%s", "…").replaceAll("<", "\\<");

type Table = Readonly<Record<string, readonly [status: number, message: string]>>;

function rowsOf(table: Table, help: Readonly<Record<string, ErrorHelp>>): string[][] {
  return Object.entries(help).map(([code, [cause, remedy]]) => {
    const [status, message] = table[code] ?? [0, ""];
    return [`\`${code}\``, String(status), messageOf(message), `${cause} ${remedy}`];
  });
}

/** Returns the help for the errors of an area. */
const helpOf = (area: (typeof areas)[number]): Readonly<Record<string, ErrorHelp>> =>
  Object.fromEntries(
    Object.entries(apiHelp).flatMap(([code, [own, cause, remedy]]) =>
      own === area ? [[code, [cause, remedy] as const]] : [],
    ),
  );

const advice = "typical cause, and what to do";
const head = ["code", "status", "message", advice];

/** Writes the page of all error codes. `answer` is the text of an answer with an error. */
export function writeErrorsPage(answer: string): string {
  return [
    "# Errors",
    "A failed call has a status of 400 or more, and this body. `type.code` is the stable name of the error; the wording of messages can change. Errors that pass with time, with status 429 or 503, have the header `Retry-After` with the seconds to wait. Programs decide by the code, and show the message to people.",
    `\`\`\`json reference\n${answer}\n\`\`\``,
    "| member | meaning |\n|---|---|\n| `code` | the HTTP status |\n| `type.code` | the name of the error, as below |\n| `message` | what is wrong, what is allowed, and what to do |\n| `validation` | messages by member, if members are wrong |\n| `request_id` | id of the call, as in the header `X-Request-Id` and in the host's log |",
    ...areas.flatMap((area) => [
      `## ${area}`,
      writeTable(head, rowsOf(apiErrors, helpOf(area))).trim(),
    ]),
    "## Plugins and stores",
    "These errors come from a plugin, a connector or the host's store; the message names it.",
    writeTable(head, rowsOf(pluginErrors, pluginHelp)).trim(),
    "## The engine",
    "The engine has no statuses. The API returns each of its errors as an error of the store.",
    writeTable(
      ["code", "in the API", "message", advice],
      Object.entries(engineErrors).map(([code, message]) => {
        const name = code as keyof typeof engineErrors;
        const [cause, remedy] = engineHelp[name];
        return [
          `\`${code}\``,
          `\`${pluginCodes[name]}\``,
          messageOf(message),
          `${cause} ${remedy}`,
        ];
      }),
    ).trim(),
    "",
  ].join("\n\n");
}

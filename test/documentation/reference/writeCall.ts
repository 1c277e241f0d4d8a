import { hostUrl } from "./exampleIds.ts";
import { writeValue } from "./writeValue.ts";

/** The languages of the examples, with the name by which fences mark their code. */
export const languages = ["sh", "ts", "python"] as const;
export type Language = (typeof languages)[number];

/** A call of the API in an example: a resource, an action, and the other members of the body. */
export interface ExampleCall {
  readonly resource: string;
  readonly action: string;
  readonly members: Readonly<Record<string, unknown>>;
  /** Whether the answer is text or a file instead of JSON. */
  readonly isText: boolean;
}

/** Writes a call in each language. The code uses the names that the set-up on the index page defines. */
export const writeCall: Readonly<Record<Language, (call: ExampleCall) => string>> = {
  sh({ resource, action, members }) {
    const lines = Object.entries(members).map(([name, value], index, all) => {
      const end = index < all.length - 1 ? "," : "";
      const layout = { notation: "json", indent: 2, taken: name.length + 5 } as const;
      return `  ${JSON.stringify(name)}: ${writeValue(value, layout)}${end}\n`;
    });
    const body = lines.join("").replaceAll("'", String.raw`'\''`);
    const pair = `"action": "${action}", "key": "'$KEY'", "token": "'$TOKEN'"`;
    return `curl -s $MANIFOLD/0.1.0/${resource} -H 'Content-Type: application/json' -d '{
  ${pair}${lines.length > 0 ? "," : ""}
${body}}'`;
  },
  ts(call) {
    if (!call.isText) return `const answer = await ${methodCall(call)};`;
    const { resource, action, members } = call;
    const body = writeValue(
      { action, "...pair": 0, ...members },
      { notation: "ts", indent: 2, taken: 24 },
    );
    return `const response = await fetch(\`\${url}/0.1.0/${resource}\`, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(${body.replace('"...pair": 0', "...pair")}),
});
const answer = await response.text();`;
  },
  python({ resource, action, members }) {
    const names = [JSON.stringify(resource), JSON.stringify(action)];
    const named = Object.entries(members).map(([name, value]) => {
      const layout = { notation: "python", indent: 4, taken: name.length + 2 } as const;
      return [name, value, writeValue(value, layout)] as const;
    });
    const line = [
      ...names,
      ...named.map(
        ([name, value]) => `${name}=${writeValue(value, { notation: "python", taken: -1e9 })}`,
      ),
    ].join(", ");
    if (line.length <= 84) return `answer = call(${line})`;
    const lines = named.map(([name, , text]) => `    ${name}=${text},\n`);
    return `answer = call(\n    ${names.join(", ")},\n${lines.join("")})`;
  },
};

/** Writes the call of the client's method for an action; `call` for actions and members that no method has. */
function methodCall({ resource, action, members }: ExampleCall): string {
  const { id, properties, find, resource: target, associations, ...others } = members;
  const arrange = (): readonly [method: string, ...given: unknown[]] => {
    const isPlain = Object.keys(others).length === 0;
    if (!isPlain && action !== "backtest" && action !== "preview" && action !== "test")
      return ["call", resource, action, members];
    switch (action) {
      case "create":
        return ["create", resource, properties, ...(associations ? [associations] : [])];
      case "get":
        return ["get", resource, ...(find ? [find] : [])];
      case "update":
        return ["update", resource, id, properties];
      case "delete":
        return ["delete", resource, id, ...(properties ? [properties] : [])];
      case "associate":
        return ["associate", resource, id, target, ...(properties ? [properties] : [])];
      case "dissociate":
        return ["dissociate", resource, id, target];
      case "validate":
        return id === undefined
          ? ["validate", resource, properties]
          : ["call", resource, action, members];
      case "explain":
      case "test":
        return [action, resource, members];
      case "backtest":
      case "preview":
        return [action, members];
      case "resend":
        return ["resend", id];
      default:
        return ["call", resource, action, members];
    }
  };
  const [method, ...given] = arrange();
  const before = `const answer = await manifold.${method}(`;
  const lines = given.map((each) => writeValue(each, { notation: "ts", taken: -1e9 }));
  if (before.length + lines.join(", ").length <= 96)
    return `manifold.${method}(${lines.join(", ")})`;
  const first = lines
    .slice(0, -1)
    .map((each) => `${each}, `)
    .join("");
  if (before.length + first.length <= 96) {
    const layout = { notation: "ts", taken: before.length + first.length + 2 } as const;
    return `manifold.${method}(${first}${writeValue(given.at(-1), layout)})`;
  }
  const broken = given.map(
    (each) => `  ${writeValue(each, { notation: "ts", indent: 2, taken: 1 })},\n`,
  );
  return `manifold.${method}(\n${broken.join("")})`;
}

/** The code that defines what the examples use, in each language. */
export const setUp: Readonly<Record<Language, string>> = {
  sh: `MANIFOLD=${hostUrl}
KEY=…
TOKEN=…`,
  ts: `import { createClient } from "@manifold-analytics/client";

const url = "${hostUrl}";
const pair = { key: process.env["KEY"] ?? "", token: process.env["TOKEN"] ?? "" };
const manifold = createClient({ url, ...pair });`,
  python: `import json, os, urllib.error, urllib.request

MANIFOLD = "${hostUrl}"
PAIR = {"key": os.environ["KEY"], "token": os.environ["TOKEN"]}


def call(resource, action, /, **members):
    """Returns the answer of a call: parsed JSON, or the bytes of a text or a file."""
    body = json.dumps({"action": action, **PAIR, **members}).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{MANIFOLD}/0.1.0/{resource}", body, headers)
    try:
        with urllib.request.urlopen(request) as response:
            answer = response.read()
            is_json = response.headers.get_content_type() == "application/json"
            return json.loads(answer) if is_json else answer
    except urllib.error.HTTPError as failure:
        raise RuntimeError(failure.read().decode()) from failure`,
};

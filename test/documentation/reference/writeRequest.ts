import { bearer, type PathExample } from "./pathExamples.ts";
import type { Language } from "./writeCall.ts";
import { writeValue } from "./writeValue.ts";

/** Writes a request to a path in each language. The code uses the names that the set-up on the index page defines. */
export const writeRequest: Readonly<Record<Language, (request: PathExample) => string>> = {
  sh({ path, headers = {}, body }) {
    const given = [
      ...(body ? ["-H 'Content-Type: application/json'"] : []),
      ...Object.entries(headers).map(([name, value]) =>
        value === bearer ? `-H "${name}: Bearer $KEY:$TOKEN"` : `-H '${name}: ${value}'`,
      ),
    ];
    const lines = [`curl -s $MANIFOLD${path}`, ...given];
    const data = body
      ? ` \\\n  -d '${writeValue(body, { notation: "json", indent: 2, taken: 6 })}'`
      : "";
    const start = lines.join(" ").length <= 98 ? lines.join(" ") : lines.join(" \\\n  ");
    return `${start}${data}`;
  },
  ts({ path, method, headers = {}, body, isText = false }) {
    const given = { ...(body && { "Content-Type": "application/json" }), ...headers };
    const init = {
      ...(method === "GET" ? {} : { method }),
      ...(Object.keys(given).length > 0 && { headers: given }),
    };
    const text = writeValue(
      { ...init, ...(body && { body: "<body>" }) },
      { notation: "ts", taken: 60 },
    )
      .replace(JSON.stringify(bearer), "`Bearer ${pair.key}:${pair.token}`")
      .replace(
        '"<body>"',
        body ? `JSON.stringify(${writeValue(body, { notation: "ts", indent: 2, taken: 24 })})` : "",
      );
    const second = Object.keys(init).length > 0 || body ? `, ${text}` : "";
    const read = isText ? "text" : "json";
    return `const response = await fetch(\`\${url}${path}\`${second});
const answer = await response.${read}();`;
  },
  python({ path, headers = {}, body, isText = false }) {
    const given = { ...(body && { "Content-Type": "application/json" }), ...headers };
    const data = body ? [`body = ${writeValue(body, { notation: "python", taken: 7 })}`] : [];
    const head =
      Object.keys(given).length > 0
        ? [
            `headers = ${writeValue(given, { notation: "python", taken: 10 })}`.replace(
              JSON.stringify(bearer),
              `f"Bearer {PAIR['key']}:{PAIR['token']}"`,
            ),
          ]
        : [];
    const parts = [
      `MANIFOLD + ${JSON.stringify(path)}`,
      ...(body ? ["json.dumps(body).encode()"] : []),
      ...(head.length > 0 ? [body ? "headers" : "headers=headers"] : []),
    ];
    const line = `request = urllib.request.Request(${parts.join(", ")})`;
    const request =
      line.length <= 100
        ? line
        : `request = urllib.request.Request(\n${parts.map((part) => `    ${part},\n`).join("")})`;
    const read = isText ? "response.read().decode()" : "json.load(response)";
    return [
      ...data,
      ...head,
      request,
      "with urllib.request.urlopen(request) as response:",
      `    answer = ${read}`,
    ].join("\n");
  },
};

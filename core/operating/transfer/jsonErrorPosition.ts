const token =
  /[ \t\n\r]+|[{}[\],:]|"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)\b/uy;

/**
 * Returns the position of the first JSON syntax error as `line:column`, counted from 1. If the text is incomplete,
 * returns the position of its end. V8's parser does not report the position of every error. O(length).
 */
export function jsonErrorPosition(text: string): string {
  const open: ("{" | "[")[] = [];
  let expected: "value" | "valueOrEnd" | "name" | "nameOrEnd" | "colon" | "more" | "nothing" =
    "value";
  const afterValue = () => (open.length === 0 ? "nothing" : "more");
  let index = 0;
  while (index < text.length) {
    token.lastIndex = index;
    const found = token.exec(text)?.[0];
    if (found === undefined) break;
    const start = found[0]!;
    if (found.trim() !== "") {
      const isValue = expected === "value" || expected === "valueOrEnd";
      if (start === "{" || start === "[") {
        if (!isValue) break;
        open.push(start);
        expected = start === "{" ? "nameOrEnd" : "valueOrEnd";
      } else if (start === "}" || start === "]") {
        const mayEnd =
          expected === "more" || expected === (start === "}" ? "nameOrEnd" : "valueOrEnd");
        if (!mayEnd || open.pop() !== (start === "}" ? "{" : "[")) break;
        expected = afterValue();
      } else if (start === ",") {
        if (expected !== "more") break;
        expected = open.at(-1) === "{" ? "name" : "value";
      } else if (start === ":") {
        if (expected !== "colon") break;
        expected = "value";
      } else if (expected === "name" || expected === "nameOrEnd") {
        if (start !== '"') break;
        expected = "colon";
      } else {
        if (!isValue) break;
        expected = afterValue();
      }
    }
    index += found.length;
  }
  const before = text.slice(0, index).split("\n");
  return `${before.length}:${before.at(-1)!.length + 1}`;
}

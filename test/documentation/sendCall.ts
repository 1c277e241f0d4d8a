import { writeFileSync } from "node:fs";

// Replaces curl in the shell that runs the documentation. It sends the same request, with addresses and credentials of
// the test instead of the examples'. It fails if the host rejects the call, as a reader would notice.
const [, , ...args] = process.argv;
const { REPLACED = "[]", ACCOUNT_FILE = "" } = process.env;
const replaced: readonly (readonly [from: string, to: string])[] = JSON.parse(REPLACED);
const real = (text: string) =>
  replaced.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);

let url = "";
let body = "";
const headers = new Headers({ "Content-Type": "application/x-www-form-urlencoded" });
while (args.length > 0) {
  const flag = args.shift() ?? "";
  if (flag === "-s") continue;
  if (flag === "-d") body = real(args.shift() ?? "");
  else if (flag === "-H") {
    const [name = "", value = ""] = (args.shift() ?? "").split(/: */);
    headers.set(name, value);
  } else if (flag.startsWith("http")) url = real(flag);
  else throw new Error(`this test does not know curl's argument ${flag}`);
}
const answer = await fetch(url, { method: "POST", headers, body });
const text = await answer.text();
if (answer.ok) process.stdout.write(`${text}\n`);
else {
  process.stderr.write(`${url} refused ${body}: ${text}\n`);
  process.exitCode = 1;
}
if (answer.ok && url.endsWith("/account") && JSON.parse(body).action === "create")
  writeFileSync(ACCOUNT_FILE, JSON.parse(text).id);

import { writeFileSync } from "node:fs";

// Replaces curl in the documentation's shell blocks. It sends the documented request with the test's addresses and
// credentials, and fails when the host refuses the call.
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
  else throw new Error(`the documentation gives curl ${flag}, which this test does not know`);
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

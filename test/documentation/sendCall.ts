import { writeFileSync } from "node:fs";

// Stands for curl in the shell of the documentation's blocks: the same request, with addresses and credentials of the
// test in the place of the examples'. It fails where the host refuses the call, as the reader would see.
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

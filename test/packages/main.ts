/**
 * `npm run packages -- docs frameworks` installs package sets that `npm ci` does not install. Without names it lists
 * the sets. Commands and tests install the sets that they need.
 */
import { installPackages } from "./installPackages.ts";
import { packageSets, type PackageSet } from "./packageSets.ts";

const sets: Readonly<Record<string, PackageSet>> = packageSets;
const names = process.argv.slice(2);
const unknown = names.find((name) => !(name in sets));
if (unknown !== undefined) {
  process.stderr.write(
    `unknown package set ${unknown}; must be one of ${Object.keys(sets).join(", ")}\n`,
  );
  process.exit(1);
}
for (const name of names)
  await installPackages({
    set: sets[name]!,
    announce: (line) => void process.stdout.write(line),
  }).catch((failure: unknown) => {
    process.stderr.write(`${failure instanceof Error ? failure.message : String(failure)}\n`);
    process.exitCode = 1;
  });
if (names.length === 0)
  for (const [name, { brings, sizeMb, folder }] of Object.entries(sets))
    process.stdout.write(
      `${name.padEnd(15)} ${String(sizeMb).padStart(4)} MB  ${folder}: ${brings}\n`,
    );

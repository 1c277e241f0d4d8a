import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { chromium, type Browser } from "playwright-core";
import { findPackages } from "./findPackages.ts";

const run = promisify(execFile);

/** Extracts into a separate temporary folder, because the package accepts anything that is already in that folder. */
const extract = `import { default as chromium } from "@sparticuz/chromium"; await chromium.executablePath();`;

/** Next to the packages, because the runner gives each run its own temporary folder. */
const cacheDir = join(import.meta.dirname, "../../node_modules/.cache");

/**
 * Uses the fonts of the package at their extracted location, because its own settings point to `/tmp`. Without any
 * font, text appears only once the page's font has loaded, and Chromium has crashed while searching for one.
 */
const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;

/**
 * Opens headless Chromium. The program is compressed in the npm package and extracted once per checkout, which takes
 * about 2 seconds of processor time. The caller closes it.
 */
export async function openBrowser(): Promise<Browser> {
  const folder = await extracted();
  return chromium.launch({
    executablePath: join(folder, "chromium"),
    env: { ...process.env, FONTCONFIG_FILE: join(folder, "fonts.conf") },
    // Tests may run as root, for whom Chromium has no sandbox.
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--font-render-hinting=none",
    ],
  });
}

async function extracted(): Promise<string> {
  const packages = await findPackages("chromium");
  const described = readFileSync(join(packages, "@sparticuz/chromium/package.json"), "utf8");
  const { version } = JSON.parse(described) as { readonly version: string };
  const folder = join(cacheDir, `manifold-browser-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cacheDir, { recursive: true });
  const part = mkdtempSync(`${folder}.`);
  try {
    await run(process.execPath, ["--input-type=module", "-e", extract], {
      // The location where the package's import finds it.
      cwd: dirname(packages),
      env: { ...process.env, TMPDIR: part, NODE_OPTIONS: "" },
    });
    writeFileSync(join(part, "fonts.conf"), fontSettings);
    renameSync(part, folder);
  } catch (failure) {
    // Another process was faster.
    if (!existsSync(folder)) throw failure;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return folder;
}

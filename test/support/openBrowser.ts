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

/**
 * A script that extracts the browser into a separate temporary folder, because the package would use any files that it
 * finds in its usual folder.
 */
const extract = `import { default as chromium } from "@sparticuz/chromium"; await chromium.executablePath();`;

/**
 * The folder into which the browser is extracted. It is next to the packages, because each run has a different
 * temporary folder.
 */
const cacheDir = join(import.meta.dirname, "../../node_modules/.cache");

/**
 * A font configuration that finds the fonts of the package where they were extracted. The package's own configuration
 * points to `/tmp`. Without any font, text appears only once the page's font has loaded, and Chromium sometimes crashes
 * while it searches for a font.
 */
const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;

/**
 * Opens headless Chromium. The npm package contains the compressed program. It is extracted once per checkout, which
 * takes about 2 seconds of processor time. The caller closes the browser.
 */
export async function openBrowser(): Promise<Browser> {
  const folder = await extracted();
  return chromium.launch({
    executablePath: join(folder, "chromium"),
    env: { ...process.env, FONTCONFIG_FILE: join(folder, "fonts.conf") },
    // Tests may run as root, and Chromium's sandbox does not support root.
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
      // The package's import finds the browser at this location.
      cwd: dirname(packages),
      env: { ...process.env, TMPDIR: part, NODE_OPTIONS: "" },
    });
    writeFileSync(join(part, "fonts.conf"), fontSettings);
    renameSync(part, folder);
  } catch (failure) {
    // Another process has already extracted the browser.
    if (!existsSync(folder)) throw failure;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return folder;
}

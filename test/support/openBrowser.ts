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

/** Extracts in its own folder for temporary files; the package takes whatever is in that folder already. */
const extract = `import { default as chromium } from "@sparticuz/chromium"; await chromium.executablePath();`;

/** Beside the packages, since the runner has a folder for temporary files of its own for each run. */
const cacheDir = join(import.meta.dirname, "../../node_modules/.cache");

/**
 * The fonts of the package, where it was extracted: its own settings name folders of `/tmp`. With no font at all, text
 * shows only once the font of its page has come, and Chromium was seen to die in its search for one.
 */
const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;

/**
 * Opens Chromium, without a window. The program comes compressed from npm and is extracted once for a checkout: about 2
 * seconds of processor time. The caller closes it.
 */
export async function openBrowser(): Promise<Browser> {
  const folder = await extracted();
  return chromium.launch({
    executablePath: join(folder, "chromium"),
    env: { ...process.env, FONTCONFIG_FILE: join(folder, "fonts.conf") },
    // Tests may run as root, who has no sandbox.
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
      // Where its import finds the package.
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

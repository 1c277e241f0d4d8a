import { css } from "lit";

/** Font, spacing, radius and colours as custom properties: light, and dark by system setting or `data-theme`. */
export const tokens = css`
  @font-face {
    font-family: "IBM Plex Sans";
    src: url("/assets/ibm-plex-sans-400.woff2") format("woff2");
    font-weight: 400;
    font-display: swap;
  }
  @font-face {
    font-family: "IBM Plex Sans";
    src: url("/assets/ibm-plex-sans-600.woff2") format("woff2");
    font-weight: 600;
    font-display: swap;
  }
  @font-face {
    font-family: "IBM Plex Mono";
    src: url("/assets/ibm-plex-mono-400.woff2") format("woff2");
    font-weight: 400;
    font-display: swap;
  }
  :root,
  :host {
    color-scheme: light;
    --font: "IBM Plex Sans", system-ui, sans-serif;
    --font-code: "IBM Plex Mono", ui-monospace, monospace, var(--font);
    --size-xs: 12px;
    --size-s: 13px;
    --size-m: 14px;
    --size-l: 16px;
    --size-xl: 20px;
    --size-xxl: 28px;
    --size-huge: 40px;
    --space-1: 4px;
    --space-2: 8px;
    --space-3: 12px;
    --space-4: 16px;
    --space-5: 24px;
    --space-6: 32px;
    --space-7: 48px;
    --bar-height: 48px;
    --radius: 6px;
    --radius-inner: 4px;
    --quick: 140ms ease-out;
    --background: oklch(97.6% 0.003 260);
    --surface: oklch(100% 0 0);
    --raised: oklch(100% 0 0);
    --sunken: oklch(95.6% 0.004 260);
    --line: oklch(91% 0.006 260);
    --line-strong: oklch(66% 0.012 260);
    --text: oklch(24% 0.015 260);
    --text-muted: oklch(49% 0.018 260);
    --accent: oklch(49% 0.17 262);
    --accent-strong: oklch(42% 0.17 262);
    --accent-soft: oklch(94.5% 0.025 262);
    --on-accent: oklch(100% 0 0);
    --positive: oklch(48% 0.12 155);
    --positive-soft: oklch(95% 0.035 155);
    --negative: oklch(50% 0.18 27);
    --negative-soft: oklch(95% 0.025 27);
    --warning: oklch(50% 0.11 70);
    --warning-soft: oklch(95.5% 0.05 85);
    --shadow: 0 8px 28px oklch(20% 0.02 260 / 16%), 0 1px 3px oklch(20% 0.02 260 / 14%);
  }
  :root[data-theme="dark"],
  :host([data-theme="dark"]) {
    color-scheme: dark;
    --background: oklch(19.5% 0.008 260);
    --surface: oklch(23.5% 0.011 260);
    --raised: oklch(27.5% 0.013 260);
    --sunken: oklch(17% 0.008 260);
    --line: oklch(32.5% 0.014 260);
    --line-strong: oklch(56% 0.016 260);
    --text: oklch(94.5% 0.005 260);
    --text-muted: oklch(74.5% 0.014 260);
    --accent: oklch(76% 0.115 262);
    --accent-strong: oklch(82% 0.095 262);
    --accent-soft: oklch(32% 0.06 262);
    --on-accent: oklch(19% 0.03 262);
    --positive: oklch(78% 0.13 155);
    --positive-soft: oklch(30% 0.045 155);
    --negative: oklch(77% 0.125 27);
    --negative-soft: oklch(31% 0.06 27);
    --warning: oklch(82% 0.12 80);
    --warning-soft: oklch(32% 0.05 80);
    --shadow: 0 10px 32px oklch(5% 0.01 260 / 60%), 0 1px 3px oklch(5% 0.01 260 / 55%);
  }
`;

// The host as one bundled file, in a checkout and in the published package.
// May import: core/catalog, core/cli, core/jobs; rolldown.
export { bundleHost, type HostBundleOptions } from "./bundleHost.ts";
export { ownBundle } from "./ownBundle.ts";

// Drivers of connectors that the host installs at their first use.
// May import: core/base, core/catalog.
export { type DriverName, drivers, isDriverName } from "./drivers.ts";
export { installNow } from "./installNow.ts";
export { openDrivers, type Drivers } from "./openDrivers.ts";

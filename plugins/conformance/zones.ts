/** Zones with half hours, of both hemispheres, and with a day that was left out. */
export const zones = [
  "Europe/Brussels",
  "America/New_York",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "America/Sao_Paulo",
  "Pacific/Apia",
] as const;

/** Zones with half-hour offsets, zones of both hemispheres, and one that skipped a day. */
export const zones = [
  "Europe/Brussels",
  "America/New_York",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "America/Sao_Paulo",
  "Pacific/Apia",
] as const;

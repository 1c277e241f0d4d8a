/** Time zones of both hemispheres, some with half-hour offsets, and one in which a day was skipped. */
export const zones = [
  "Europe/Brussels",
  "America/New_York",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "America/Sao_Paulo",
  "Pacific/Apia",
] as const;

/** Time zones of both hemispheres. Some have half-hour offsets, and one once skipped a day. */
export const zones = [
  "Europe/Brussels",
  "America/New_York",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "America/Sao_Paulo",
  "Pacific/Apia",
] as const;

const clock =
  /^([+-])?(?:(\d{1,6})\s*d(?:ays?)?,?\s+)?(\d{1,7}):([0-5]?\d)(?::([0-5]?\d)(?:[.,](\d{1,9}))?)?$/i;
const longestDuration = 100;
const units =
  /^([+-])?P?(?:(\d{1,6})\s*d(?:ays?)?\s*,?\s*)?T?(?:(\d{1,7})\s*h(?:ours?|rs?)?\s*,?\s*)?(?:(\d{1,9})\s*m(?:in(?:utes?|s)?)?\s*,?\s*)?(?:(\d{1,12})(?:[.,](\d{1,9}))?\s*s(?:ec(?:onds?|s)?)?)?$/i;

/**
 * Converts a duration such as `1:02:03`, `36:15` (hours and minutes), `1d 2h`, `90 min` or `PT1H30M` to seconds.
 * Undefined for other strings.
 */
export function readDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed.length > longestDuration) return undefined;
  const match = clock.exec(trimmed) ?? (/\d\s*[a-z]/i.test(trimmed) ? units.exec(trimmed) : null);
  if (!match) return undefined;
  const [, sign, days = "0", hours = "0", minutes = "0", seconds = "0", fraction = "0"] = match;
  const whole = Number(days) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60;
  const value = whole + Number(`${seconds}.${fraction}`);
  return sign === "-" ? 0 - value : value;
}

/** The names and the usual forms of dates in a language. */
export interface DatetimeNames {
  /** The form of a datetime, of a date and of a time, as patterns. */
  readonly dateTime: string;
  readonly date: string;
  readonly time: string;
  readonly periods: readonly [morning: string, afternoon: string];
  /** From Sunday. */
  readonly days: readonly string[];
  readonly shortDays: readonly string[];
  readonly months: readonly string[];
  readonly shortMonths: readonly string[];
}

const dayMs = 86_400_000;

/** The character that fills a number, by the character after `%`. */
const fills: Readonly<Record<string, string>> = { "-": "", _: " ", "0": "0" };

/**
 * Returns the function that writes wall clock times by a pattern of D3, such as `%d %b %Y`. Equal to `utcFormat` of
 * d3-time-format, whose single module also parses dates and would be too large for the script that pages load first.
 */
export function datetimePattern(pattern: string, names: DatetimeNames): (wallMs: number) => string {
  const write = (form: string, at: Date): string =>
    form.replaceAll(/%([-_0]?)([^]?)/g, (_, given: string, directive: string) => {
      const fill = fills[given] ?? (directive === "e" ? " " : "0");
      return writeDirective(directive, at, fill);
    });

  function writeDirective(directive: string, at: Date, fill: string): string {
    const [day, month, year] = [at.getUTCDay(), at.getUTCMonth(), at.getUTCFullYear()];
    const number = (value: number, width: number) => padded(value, fill, width);
    switch (directive) {
      case "a":
        return names.shortDays[day] ?? "";
      case "A":
        return names.days[day] ?? "";
      case "b":
        return names.shortMonths[month] ?? "";
      case "B":
        return names.months[month] ?? "";
      case "c":
        return write(names.dateTime, at);
      case "d":
      case "e":
        return number(at.getUTCDate(), 2);
      case "f":
        return `${number(at.getUTCMilliseconds(), 3)}000`;
      case "g":
        return number(thursdayOf(at).getUTCFullYear() % 100, 2);
      case "G":
        return number(thursdayOf(at).getUTCFullYear() % 10_000, 4);
      case "H":
        return number(at.getUTCHours(), 2);
      case "I":
        return number(at.getUTCHours() % 12 || 12, 2);
      case "j":
        return number(1 + dayOfYear(at), 3);
      case "L":
        return number(at.getUTCMilliseconds(), 3);
      case "m":
        return number(month + 1, 2);
      case "M":
        return number(at.getUTCMinutes(), 2);
      case "p":
        return names.periods[at.getUTCHours() >= 12 ? 1 : 0];
      case "q":
        return String(1 + Math.floor(month / 3));
      case "Q":
        return String(at.getTime());
      case "s":
        return String(Math.floor(at.getTime() / 1_000));
      case "S":
        return number(at.getUTCSeconds(), 2);
      case "u":
        return String(day === 0 ? 7 : day);
      case "U":
        return number(Math.floor((dayOfYear(at) + 7 - day) / 7), 2);
      case "V":
        return number(1 + Math.floor(dayOfYear(thursdayOf(at)) / 7), 2);
      case "w":
        return String(day);
      case "W":
        return number(Math.floor((dayOfYear(at) + 7 - ((day + 6) % 7)) / 7), 2);
      case "x":
        return write(names.date, at);
      case "X":
        return write(names.time, at);
      case "y":
        return number(year % 100, 2);
      case "Y":
        return number(year % 10_000, 4);
      case "Z":
        return "+0000";
      default:
        return directive;
    }
  }

  return (wallMs) => write(pattern, new Date(wallMs));
}

/** Days since 1 January. */
function dayOfYear(at: Date): number {
  const begin = new Date(at);
  begin.setUTCMonth(0, 1);
  begin.setUTCHours(0, 0, 0, 0);
  return Math.floor((at.getTime() - begin.getTime()) / dayMs);
}

/** Returns the Thursday of an ISO week, whose year is that of the week. */
const thursdayOf = (at: Date): Date => new Date(at.getTime() + (4 - (at.getUTCDay() || 7)) * dayMs);

function padded(value: number, fill: string, width: number): string {
  const digits = String(Math.abs(value));
  const filled = fill === "" ? digits : digits.padStart(width, fill);
  return value < 0 ? `-${filled}` : filled;
}

/** The instant of a call. It is read only by queries whose meaning depends on it. */
export interface Now {
  /** The instant in milliseconds since 1970. */
  readonly nowMs: number;
}

/** The instant of the call, and the time zone of relative tests. */
export interface Clock extends Now {
  readonly timezone: string;
}

/** Returns a clock that reads the instant only when it is read itself. */
export function clockIn(timezone: string, now: Now): Clock {
  return {
    get nowMs() {
      return now.nowMs;
    },
    timezone,
  };
}

/** An instant that notes whether it was read. */
export interface WatchedNow extends Now {
  readonly isRead: boolean;
}

/** Returns an instant that notes whether it was read. */
export function watchNow(nowMs: number): WatchedNow {
  let isRead = false;
  return {
    get nowMs() {
      isRead = true;
      return nowMs;
    },
    get isRead() {
      return isRead;
    },
  };
}

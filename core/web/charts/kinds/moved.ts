/** Moves the path of an arc to a position, because D3 centres arcs at 0,0. */
export function moved(d: string, x: number, y: number): string {
  return d.replaceAll(
    /([ML])(-?[\d.e-]+),(-?[\d.e-]+)|A([\d.]+),([\d.]+),0,([01]),([01]),(-?[\d.e-]+),(-?[\d.e-]+)/g,
    (
      _all,
      command: string | undefined,
      px: string,
      py: string,
      rx: string,
      ry: string,
      large: string,
      sweep: string,
      ax: string,
      ay: string,
    ) =>
      command !== undefined
        ? `${command}${at(px, x)},${at(py, y)}`
        : `A${rx},${ry},0,${large},${sweep},${at(ax, x)},${at(ay, y)}`,
  );
}

function at(written: string, by: number): number {
  return Math.round((Number(written) + by) * 100) / 100;
}

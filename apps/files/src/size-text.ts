const units = [
  [30, 'Gi'],
  [20, 'Mi'],
  [10, 'Ki'],
] as const;

/** A number of bytes as options and messages show it: `128Mi` if it is a multiple, and else `1000 bytes`. */
export function sizeText(bytes: number): string {
  const unit = units.find(([shift]) => bytes > 0 && bytes % 2 ** shift === 0);
  return unit === undefined ? `${bytes} bytes` : `${bytes / 2 ** unit[0]}${unit[1]}`;
}

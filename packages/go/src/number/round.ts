/** The nearest whole number, ties away from zero (Go's `math.Round`); NaN and infinities are themselves. */
export function roundFloat64(value: number): number {
  const whole = Math.trunc(value);
  return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole;
}

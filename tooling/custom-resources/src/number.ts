/** A number as it is to be written: `2.0` is a double to Go and `2` an integer. */
export function written(text: string): string {
  return `⟨${text}⟩`;
}

/** The JSON of a case with the numbers that {@link written} made. */
export function withNumbers(json: string): string {
  return json.replace(/"⟨([^⟩"]*)⟩"/g, '$1');
}

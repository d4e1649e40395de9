/** An answer of a server. */
export interface Answer {
  readonly status: number;
  /** Names in lower case; the lines of `warning` are an array. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
  /** The body of an answer in protocol buffers. */
  readonly bytes?: Uint8Array | undefined;
}

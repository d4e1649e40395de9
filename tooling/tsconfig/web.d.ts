/** The interfaces that browsers, workers, Node and edge runtimes all have, as far as the libraries use them. */

interface TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}
declare const TextEncoder: { new (): TextEncoder };

interface TextDecoder {
  decode(input?: Uint8Array): string;
}
declare const TextDecoder: {
  new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder;
};

declare function structuredClone<Value>(value: Value): Value;

declare function atob(encoded: string): string;
declare function btoa(binary: string): string;

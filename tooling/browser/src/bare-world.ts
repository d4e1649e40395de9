import { createContext, Script } from 'node:vm';

/**
 * Runs a classic script in a world that has ECMAScript and the few interfaces that every browser, worker
 * and edge runtime has, nothing of Node, and no way to make code from text. Returns the global object.
 */
export function runInBareWorld(code: string): Record<string, unknown> {
  const world = createContext(
    { TextEncoder, TextDecoder, URL, atob, btoa, queueMicrotask, structuredClone },
    { codeGeneration: { strings: false, wasm: false } },
  );
  new Script(code, { filename: 'bundle.js' }).runInContext(world);
  return world as Record<string, unknown>;
}

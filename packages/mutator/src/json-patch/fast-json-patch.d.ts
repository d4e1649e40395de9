// The used parts of the library, without observation: its own types cover all of it.

declare module 'fast-json-patch/module/core.mjs' {
  export { applyOperation } from 'fast-json-patch';
}

// The parts of the library that are needed, without what observes objects: its own types are for the whole of it.

declare module 'fast-json-patch/module/core.mjs' {
  export { applyOperation } from 'fast-json-patch';
}

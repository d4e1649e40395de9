// What editors need of texts that may not be finished; it may change with every version.

export { traceScalar } from './scalar-source.ts';

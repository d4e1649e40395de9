// For editors, whose texts may be unfinished; unstable.

export { traceScalar } from './scalar-source.ts';

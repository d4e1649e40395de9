// Loaded with the first question other than diagnostics. It loads more on demand; shared code stays in this chunk,
// because many small chunks together are a fifth larger.
export { JsonSchemaTypes } from '../fields/json-schema-types.ts';
export { complete } from './complete.ts';
export { hover } from './hover.ts';
export { codeActions } from './quick-fixes.ts';
export { signatureHelp } from './signature-help.ts';

/** Loads the code for files of Kyverno. */
export const kyvernoPart = (): Promise<typeof import('./kyverno-part.ts')> =>
  import('./kyverno-part.ts');

/** Loads the features that the playground does not use: navigation, and texts within lines. */
export const navigation = (): Promise<typeof import('./navigation.ts')> =>
  import('./navigation.ts');

export type { DeclaredOption } from './configuration-arguments.ts';
export { ConfigurationFileError, configurationFileArguments } from './configuration-file.ts';
export { jsonObject } from './json-object.ts';
export { LineFile } from './line-file.ts';
export {
  type ManifestFile,
  type ManifestFiles,
  listManifests,
  type PathProblem,
} from './list-manifests.ts';
export { makeFolder } from './make-folder.ts';
export { noFileText, readErrorText } from './read-error-text.ts';
export { decodeText, readBytes, readText, type ReadLimits } from './read-text.ts';
export { replaceFile } from './replace-file.ts';
export { sizeText } from './size-text.ts';
export { staticManifestFiles, staticManifestsProblem } from './static-manifest-files.ts';

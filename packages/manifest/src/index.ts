// Objects in files.

export {
  type DocumentOrigin,
  type InputProblem,
  problemAt,
  type ReadDocument,
  readDocuments,
} from './documents.ts';
// Places.
export { type Path, parseFieldPath, valueAt } from './locate.ts';
export { isRecord, type ManifestObject, Manifest } from './manifest.ts';
export { readManifests } from './read.ts';
export {
  expressionOffset,
  formatPlace,
  type Place,
  Source,
  type TextEdit,
  type TextRange,
} from './source.ts';
// YAML as text.
export { formatYaml, formatYamlParts } from './format-yaml.ts';
export { stringifyYaml } from './write-yaml.ts';

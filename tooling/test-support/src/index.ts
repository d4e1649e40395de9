export {
  createFolder,
  folderUntil,
  removeFolder,
  withFiles,
  withFolder,
  writeFiles,
} from './folders.ts';
export { type Ended, type RunOptions, runProgram, stopProgram } from './programs.ts';
export { parseLines, readLines } from './read-lines.ts';
export { type Answer, sendRequest } from './send-request.ts';
export { freePort, listen } from './servers.ts';
export { type ImageRegistry, type Intercept, serveImages } from './image-registry.ts';
export { LayoutWriter, type Written } from './layout-writer.ts';
export {
  makeKeys,
  type SignatureOptions,
  type SigningKeys,
  signatureLayer,
  signBytes,
  storeLayers,
} from './signed-images.ts';

import { writeFileSync } from 'node:fs';
import { countHits, limitsFile, repositoryHits } from './repository-prose.ts';

// `pnpm prose` records today's counts; `pnpm prose FOLDER` lists the hits below a folder.
const [folder] = process.argv.slice(2);
const hits = repositoryHits();
if (folder === undefined) {
  writeFileSync(limitsFile, `${JSON.stringify(countHits(hits), undefined, 2)}\n`);
} else {
  for (const { audience, path, line, rule, excerpt } of hits) {
    if (path.startsWith(folder)) console.log(`${path}:${line}: ${audience}: ${rule}: ${excerpt}`);
  }
}

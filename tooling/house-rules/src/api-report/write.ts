import { writeFileSync } from 'node:fs';
import { placeOf, reports } from './report.ts';

for (const { path, text } of reports()) writeFileSync(placeOf(path), text);

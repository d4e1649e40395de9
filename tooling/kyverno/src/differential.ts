import { Random } from '@kubeadmit/random';
import { casesOf, comparisonOf, subjects } from './subjects.ts';

const [name = '', count = '1000', seed = '1'] = process.argv.slice(2);
const subject = subjects[name];
if (subject === undefined) throw new Error(`name one of ${Object.keys(subjects).join(', ')}`);
const comparison = await comparisonOf(subject);
const cases = casesOf(subject, new Random(Number(seed)), Number(count));
process.exitCode = await comparison.run(cases, { limit: 25, isShrinking: true });

import { holdCases } from './hold-cases.ts';

// These cases take half of the total time and run in a separate file, in parallel with the others.
holdCases(['admit']);

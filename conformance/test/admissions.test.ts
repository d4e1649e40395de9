import { holdCases } from './hold-cases.ts';

// Half of the time of all: beside the others, in a file of their own.
holdCases(['admit']);

import { ALL_ATTACKS, describeEscapes } from '../lib/sandbox/describe-escapes';

jest.setTimeout(300_000);

describeEscapes(ALL_ATTACKS);

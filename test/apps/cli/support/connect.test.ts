import { connect } from '../../../../src/apps/cli/support/connect';

test.each(['localhost:notaport', '127.0.0.1:99999', 'localhost:7233/', '[::1]:0', 'temporal.example.com:70000'])(
  'the port of %s is said to be none, at once',
  async (address) => {
    await expect(connect({ address })).rejects.toMatchObject({
      type: 'ServerUnreachable',
      message: `No Temporal server answers at ${address}: its port must be a number from 1 to 65535.`,
    });
  },
);

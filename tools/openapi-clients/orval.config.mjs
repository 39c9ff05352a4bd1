export default {
  backline: {
    input: '../../openapi/v1.json',
    output: { target: './generated/orval/api.ts', client: 'fetch', baseUrl: 'http://backline.invalid' },
  },
}

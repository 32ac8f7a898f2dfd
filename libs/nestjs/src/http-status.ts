/** Which codes of Waymark have a status other than 500: the table "HTTP status" of docs/errors.md. */
const CODES_OF: Readonly<Record<number, string>> = {
  400: 'WM1001 WM1002 WM1003 WM1021 WM1023 WM1036 WM1042 WM1057 WM1065 WM1066 WM1101 WM1102 WM1103 WM1104 WM1105 WM2022 WM2074 WM2075 WM2078 WM4033 WM5019 WM6031 WM6032 WM7006 WM7008 WM8001 WM9081',
  401: 'WM8004',
  403: 'WM1022 WM2071 WM8005',
  404: 'WM1020 WM1041 WM2070 WM3001 WM3004 WM4030 WM8003',
  408: 'WM5064',
  409:
    'WM1038 WM2020 WM2021 WM2072 WM2073 WM2076 WM3002 WM3003 WM3009 WM3010 WM3011 WM3012 WM3043 WM3044 WM3045 WM4031 WM4032 WM5090 WM6033 ' +
    'WM7001 WM7002 WM7003 WM7004 WM7005 WM7007 WM7023 WM8007 WM8010',
  412: 'WM7043',
  413: 'WM1024 WM1056 WM1060 WM7017 WM8006',
  415: 'WM5022 WM8002',
  429: 'WM8011',
  501: 'WM4034',
  503: 'WM2040 WM2053 WM3005 WM5069 WM5080 WM7014 WM7015 WM7018 WM8025 WM9080',
  504: 'WM1037',
};

const STATUS_OF = new Map<string, number>(
  Object.entries(CODES_OF).flatMap(([status, codes]) =>
    codes.split(' ').map((code) => [code, Number(status)] as const),
  ),
);

/** HTTP status for a Waymark error of that code: 500 for those that are a fault of the server. */
export const httpStatusOf = (code: string): number => STATUS_OF.get(code) ?? 500;

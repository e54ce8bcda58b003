-- Two draws, a correction and a skip, as version 1 kept them.

INSERT INTO header VALUES
    (1, '7', 'table', 'labels(no,yes)', '["Recall", "P@10"]', 'doc id', '2025-01-02T03:04:05Z');

INSERT INTO frames VALUES (1, 'aa11', 9, '{"parts": []}', '2025-01-02');

INSERT INTO draws VALUES
    (1, 'pps(size=score)', 'each', '7', 1, 'aa11', 300, '{"tau": 0.25}', 'probability', 2, '2025-01-03');
INSERT INTO draw_units VALUES
    (1, 1, 'u0', -1, 0.5, 0.25, 0.0, 40, 1, 2, 1),
    (2, 1, 'u1', 5, 1.0, 1.0, 0.0, 41, 1, 1, 1);

INSERT INTO draws VALUES
    (2, 'wr(size=score)', 'bm25', '340282366920938463463374607431768211457', 1, 'aa11', 3,
     '{"replacement": true}', 'expected_draws', 2, '2025-01-05');
INSERT INTO draw_units VALUES
    (3, 2, 'u1', 5, 2.5, 2.5, 1.0, 0, 3, 0, 0),
    (4, 2, 'u2', 9223372036854775807, 0.125, 0.125, 0.0, 0, 1, 1, 1);

INSERT INTO judgments VALUES
    (1, 2, 'ann', 'label', 'no', 0.0, '2025-01-04', ''),
    (2, 1, 'ann', 'skip', 'skip', NULL, '2025-01-04', 'unreadable'),
    (3, 2, 'ann', 'label', 'yes', 1.0, '2025-01-05', '');

-- A study file of version 1 as it was made when that was the latest. Never change it.

CREATE TABLE migrations (
    version INTEGER PRIMARY KEY CHECK (version >= 1),
    name TEXT NOT NULL
) STRICT;

CREATE TABLE header (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    seed TEXT NOT NULL CHECK (seed GLOB '[0-9]*' OR seed GLOB '-[0-9]*'),
    kind TEXT NOT NULL,
    scale TEXT NOT NULL,
    measures TEXT NOT NULL,
    id_name TEXT NOT NULL,
    created TEXT NOT NULL
) STRICT;

CREATE TABLE frames (
    version INTEGER PRIMARY KEY CHECK (version >= 0),
    hash TEXT NOT NULL,
    units INTEGER NOT NULL CHECK (units >= 0),
    manifest TEXT NOT NULL,
    created TEXT NOT NULL,
    UNIQUE (version, hash)
) STRICT;

CREATE TABLE draws (
    batch INTEGER PRIMARY KEY CHECK (batch >= 0),
    design TEXT NOT NULL,
    goal TEXT NOT NULL,
    seed TEXT NOT NULL CHECK (seed GLOB '[0-9]*' OR seed GLOB '-[0-9]*'),
    frame INTEGER NOT NULL,
    frame_hash TEXT NOT NULL,
    budget INTEGER NOT NULL CHECK (budget >= 0),
    params TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('probability', 'expected_draws')),
    units INTEGER NOT NULL CHECK (units >= 0),
    created TEXT NOT NULL,
    FOREIGN KEY (frame, frame_hash) REFERENCES frames (version, hash)
) STRICT;

CREATE TABLE draw_units (
    id INTEGER PRIMARY KEY CHECK (id >= 1),
    batch INTEGER NOT NULL REFERENCES draws (batch),
    unit TEXT NOT NULL,
    key INTEGER NOT NULL,
    pi REAL NOT NULL CHECK (pi > 0 AND pi <= 1.7976931348623157e308),
    conditional REAL NOT NULL CHECK (
        conditional > 0 AND conditional <= 1.7976931348623157e308
    ),
    before REAL NOT NULL CHECK (before >= 0 AND before <= 1.7976931348623157e308),
    stratum INTEGER NOT NULL,
    count INTEGER NOT NULL CHECK (count >= 1),
    ord INTEGER NOT NULL CHECK (ord >= 0),
    new INTEGER NOT NULL CHECK (new IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX draw_units_new ON draw_units (unit) WHERE new = 1;

CREATE UNIQUE INDEX draw_units_again ON draw_units (unit, batch) WHERE new = 0;

CREATE TABLE judgments (
    id INTEGER PRIMARY KEY CHECK (id >= 1),
    draw_unit INTEGER NOT NULL REFERENCES draw_units (id),
    annotator TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('label', 'skip', 'unsure')),
    label TEXT NOT NULL,
    value REAL CHECK ((value IS NULL) = (state <> 'label')),
    at TEXT NOT NULL,
    note TEXT NOT NULL
) STRICT;

CREATE INDEX judgments_standing ON judgments (draw_unit, annotator);

CREATE TRIGGER migrations_insert BEFORE INSERT ON migrations BEGIN
    SELECT RAISE(ABORT, 'migrations: rows are only added')
    WHERE NEW.version <= (SELECT max(version) FROM migrations);
END;

CREATE TRIGGER header_insert BEFORE INSERT ON header BEGIN
    SELECT RAISE(ABORT, 'header: rows are only added') WHERE EXISTS (SELECT 1 FROM header);
END;

CREATE TRIGGER frames_insert BEFORE INSERT ON frames BEGIN
    SELECT RAISE(ABORT, 'frames: rows are only added')
    WHERE NEW.version <= (SELECT max(version) FROM frames);
END;

CREATE TRIGGER draws_insert BEFORE INSERT ON draws BEGIN
    SELECT RAISE(ABORT, 'draws: rows are only added')
    WHERE NEW.batch <= (SELECT max(batch) FROM draws);
END;

CREATE TRIGGER draw_units_insert BEFORE INSERT ON draw_units BEGIN
    SELECT RAISE(ABORT, 'draw_units: rows are only added')
    WHERE NEW.batch < (SELECT max(batch) FROM draws)
        OR EXISTS (SELECT 1 FROM draw_units WHERE id = NEW.id)
        OR NEW.new = 0 AND EXISTS (
            SELECT 1 FROM draw_units WHERE unit = NEW.unit AND batch = NEW.batch AND new = 0
        );
    SELECT RAISE(ABORT, 'draw_units: a unit is new in exactly one draw, the first that holds it')
    WHERE iif(
        NEW.new,
        EXISTS (SELECT 1 FROM draw_units WHERE unit = NEW.unit AND new = 1),
        NOT EXISTS (
            SELECT 1 FROM draw_units WHERE unit = NEW.unit AND new = 1 AND batch < NEW.batch
        )
    );
    SELECT RAISE(ABORT, 'draw_units: pi is above 1 in a draw without replacement')
    WHERE max(NEW.pi, NEW.conditional) > 1
        AND (SELECT kind FROM draws WHERE batch = NEW.batch) IS NOT 'expected_draws';
END;

CREATE TRIGGER judgments_insert BEFORE INSERT ON judgments BEGIN
    SELECT RAISE(ABORT, 'judgments: rows are only added')
    WHERE EXISTS (SELECT 1 FROM judgments WHERE id = NEW.id);
    SELECT RAISE(ABORT, 'judgments: a judgment points to the draw that its unit was new in')
    WHERE EXISTS (SELECT 1 FROM draw_units WHERE id = NEW.draw_unit AND new = 0);
END;

CREATE TRIGGER migrations_update BEFORE UPDATE ON migrations BEGIN
    SELECT RAISE(ABORT, 'migrations: rows are only added');
END;

CREATE TRIGGER migrations_delete BEFORE DELETE ON migrations BEGIN
    SELECT RAISE(ABORT, 'migrations: rows are only added');
END;

CREATE TRIGGER header_update BEFORE UPDATE ON header BEGIN
    SELECT RAISE(ABORT, 'header: rows are only added');
END;

CREATE TRIGGER header_delete BEFORE DELETE ON header BEGIN
    SELECT RAISE(ABORT, 'header: rows are only added');
END;

CREATE TRIGGER frames_update BEFORE UPDATE ON frames BEGIN
    SELECT RAISE(ABORT, 'frames: rows are only added');
END;

CREATE TRIGGER frames_delete BEFORE DELETE ON frames BEGIN
    SELECT RAISE(ABORT, 'frames: rows are only added');
END;

CREATE TRIGGER draws_update BEFORE UPDATE ON draws BEGIN
    SELECT RAISE(ABORT, 'draws: rows are only added');
END;

CREATE TRIGGER draws_delete BEFORE DELETE ON draws BEGIN
    SELECT RAISE(ABORT, 'draws: rows are only added');
END;

CREATE TRIGGER draw_units_update BEFORE UPDATE ON draw_units BEGIN
    SELECT RAISE(ABORT, 'draw_units: rows are only added');
END;

CREATE TRIGGER draw_units_delete BEFORE DELETE ON draw_units BEGIN
    SELECT RAISE(ABORT, 'draw_units: rows are only added');
END;

CREATE TRIGGER judgments_update BEFORE UPDATE ON judgments BEGIN
    SELECT RAISE(ABORT, 'judgments: rows are only added');
END;

CREATE TRIGGER judgments_delete BEFORE DELETE ON judgments BEGIN
    SELECT RAISE(ABORT, 'judgments: rows are only added');
END;

INSERT INTO migrations VALUES (1, 'm001_initial');

PRAGMA application_id = 1634494833;
PRAGMA user_version = 1;

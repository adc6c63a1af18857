CREATE TABLE parent (id INT AUTO_INCREMENT PRIMARY KEY, word VARCHAR(40), UNIQUE (word))
CREATE TABLE child (id INT PRIMARY KEY, of INT, FOREIGN KEY (of) REFERENCES parent (id))
CREATE TABLE kinds (id INT PRIMARY KEY, big LONGBLOB, bits BIT(5), j JSON, at TIMESTAMP(6) NULL,
  day DATE, price DECIMAL(30,10), f FLOAT, d DOUBLE, u UUID, p POINT, e ENUM('a','b'),
  l VARCHAR(20) CHARACTER SET latin1, twice INT AS (id * 2) STORED)
CREATE TABLE `odd ``name
of % it` (`co``l %s` TEXT)
CREATE TABLE aria (a INT) ENGINE=Aria
CREATE SEQUENCE numbers START WITH 100 INCREMENT BY 5
INSERT INTO parent (word) VALUES ('one'), ('zwei ü'), ('😀'), (NULL)
INSERT INTO child VALUES (1, 1), (2, 3)
INSERT INTO kinds (id, big, bits, j, at, day, price, f, d, u, p, e, l) VALUES (1, CONCAT(X'00FF0A5C27', REPEAT(X'00FF', 90000)), b'10101',
  '{"a": "\\u00fc\\n"}', '2026-03-29 01:30:00.123456', '0001-01-01', 12345678901234567890.0123456789,
  1.1, 1e300/3, UUID(), POINT(1, 2), 'b', 'ü')
INSERT INTO kinds (id) VALUES (2)
INSERT INTO `odd ``name
of % it` VALUES ('\\! touch /tmp/x'), ('it''s \\ 100 %'), (''), (NULL)
INSERT INTO aria VALUES (1)
SELECT NEXTVAL(numbers)
CREATE FUNCTION twice (n INT) RETURNS INT DETERMINISTIC RETURN n * 2
CREATE PROCEDURE put (IN w VARCHAR(40)) BEGIN -- DEFINER=`root`@`localhost`
  INSERT INTO parent (word) VALUES (w); INSERT INTO parent (word) VALUES ('CREATE DEFINER=`root`@`%` ;'); END
CREATE VIEW b_words AS SELECT id, word, twice(id) AS doubled FROM parent
CREATE VIEW a_words AS SELECT word FROM b_words WHERE word IS NOT NULL
CREATE SQL SECURITY INVOKER VIEW `odd view
%s` AS SELECT 'ü😀' AS `it's`
CREATE TRIGGER before_put BEFORE INSERT ON parent FOR EACH ROW SET NEW.word = CONCAT(NEW.word, '!')
CREATE TRIGGER second_put BEFORE INSERT ON parent FOR EACH ROW SET NEW.word = CONCAT(NEW.word, '?')
CREATE EVENT nightly ON SCHEDULE EVERY 1 DAY DISABLE DO DELETE FROM parent WHERE word = 'gone'
